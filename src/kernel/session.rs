//! A growing execution under a plan: add rows, check, undo.
