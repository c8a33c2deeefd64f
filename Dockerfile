# hmc with a clang: docker build -t hmc . && docker run --rm -v "$PWD:/work" hmc prog.c
FROM rust:1-slim-trixie AS build
WORKDIR /hmc
COPY . .
RUN cargo install --locked --path . --root /usr/local

FROM debian:trixie-slim
RUN apt-get update && apt-get install -y --no-install-recommends clang libc6-dev libstdc++-14-dev && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/bin/hmc /usr/local/bin/hmc
WORKDIR /work
ENTRYPOINT ["hmc"]
