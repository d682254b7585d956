# The image contains one static file. Site and executable are built in separate
# stages, so that a change in ui/ does not rebuild the Rust dependencies, and a
# change in src/ does not install the npm packages.
#
# SOURCE_DATE_EPOCH and RECIPELOG_COMMIT set the date and the commit that --version
# shows, because the build context has no .git. deploy/containers.md has the command.
# Without them, the commit is "unknown". deploy/publish also sets the other arguments of
# the labels.

# The site is the same on every platform, and the compilers for the others are faster than
# an emulation. So both stages run on the platform of the builder. The digests name images
# of all platforms; a new tag needs a new digest. Docker without buildx, such as Debian's, sets none of the variables for
# platforms: it builds for amd64, on amd64.
FROM --platform=${BUILDPLATFORM:-linux/amd64} node:22.21.1-bookworm-slim@sha256:25b3eb23a00590b7499f2a2ce939322727fcce1b15fdd69754fcd09536a3ae2c AS site
WORKDIR /ui
COPY ui/package.json ui/package-lock.json ui/.npmrc ui/install-packages.mjs ./
RUN node install-packages.mjs .
COPY ui .
ARG SOURCE_DATE_EPOCH
RUN node build.mjs /site --cache /tmp/parcel

FROM --platform=${BUILDPLATFORM:-linux/amd64} rust:1.95.0-slim-bookworm@sha256:d7482085ff5b415f84dba5647ae71606650bdef00db7aeb69f4b3d170c3e4082 AS builder
ARG TARGETARCH
# Rust's name of the platform, and the libraries of Rust and C for another processor.
RUN architecture=${TARGETARCH:-$(dpkg --print-architecture)} \
    && case $architecture in amd64) processor=x86_64 ;; arm64) processor=aarch64 ;; esac \
    && echo "$processor-unknown-linux-gnu" > /target \
    && if ! rustc -vV | grep --quiet "^host: $processor-"; then \
        rustup target add "$(cat /target)" \
        && apt-get update \
        && apt-get install --yes --no-install-recommends "crossbuild-essential-$architecture"; \
    fi
WORKDIR /recipelog
ENV RECIPELOG_SITE_DIR=/site
COPY Cargo.toml Cargo.lock ./
COPY deploy/release deploy/with-release-flags deploy/
# Members of the workspace, which Cargo looks for.
COPY tests/fuzz/Cargo.toml tests/fuzz/
# Compiles only the dependencies, with an empty program. Docker caches this layer.
RUN mkdir src && touch src/lib.rs && echo 'fn main() {}' | tee src/main.rs > build.rs \
    && deploy/release "$(cat /target)"
COPY . .
COPY --from=site /site /site
ARG SOURCE_DATE_EPOCH
ARG RECIPELOG_COMMIT
# Cargo compares file times, and the files of a clone can be older than the empty
# program.
RUN touch src/lib.rs src/main.rs build.rs \
    && install -D "$(deploy/release "$(cat /target)")" /release/recipelog-site \
    && mkdir /release/state

FROM scratch
COPY --from=builder /release/recipelog-site /recipelog-site
# For certificates by ACME. A volume that is mounted here gets the same owner.
COPY --from=builder --chown=65534:65534 /release/state /state
ENV STATE_DIRECTORY=/state
USER 65534:65534
EXPOSE 8080 8443
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=2s CMD ["/recipelog-site", "healthcheck"]
ENTRYPOINT ["/recipelog-site"]
ARG RECIPELOG_VERSION
ARG RECIPELOG_COMMIT
ARG RECIPELOG_SOURCE
ARG RECIPELOG_CREATED
LABEL org.opencontainers.image.title="recipelog-site" \
      org.opencontainers.image.description="RecipeLog's website: one executable that is the whole site" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${RECIPELOG_VERSION:-unknown}" \
      org.opencontainers.image.revision="${RECIPELOG_COMMIT:-unknown}" \
      org.opencontainers.image.source="${RECIPELOG_SOURCE:-unknown}" \
      org.opencontainers.image.created="${RECIPELOG_CREATED:-unknown}"
