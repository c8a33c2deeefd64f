//! HyperQueue and Slurm.
