# The image contains one static file. Site and executable are built in separate
# stages, so that a change in ui/ does not rebuild the Rust dependencies, and a
# change in src/ does not install the npm packages.
#
# SOURCE_DATE_EPOCH and RECIPELOG_COMMIT set the date and the commit that --version
# shows, because the build context has no .git. deploy/README.md has the command.
# Without them, the commit is "unknown".

# The site is the same on every platform. Build it once, on the platform of the
# builder.
FROM --platform=$BUILDPLATFORM node:22.21.1-bookworm-slim AS site
WORKDIR /ui
COPY ui/package.json ui/package-lock.json ui/.npmrc ./
RUN npm ci --include=dev --no-audit --no-fund
COPY ui .
ARG SOURCE_DATE_EPOCH
RUN node build.mjs /site --cache /tmp/parcel

FROM rust:1.95.0-slim-bookworm AS builder
WORKDIR /recipelog
ENV RECIPELOG_SITE_DIR=/site
COPY Cargo.toml Cargo.lock ./
COPY deploy/release deploy/with-release-flags deploy/
# Members of the workspace, which Cargo looks for.
COPY tests/fuzz/Cargo.toml tests/fuzz/
# Compiles only the dependencies, with an empty program. Docker caches this layer.
RUN mkdir src && touch src/lib.rs && echo 'fn main() {}' | tee src/main.rs > build.rs \
    && deploy/release
COPY . .
COPY --from=site /site /site
ARG SOURCE_DATE_EPOCH
ARG RECIPELOG_COMMIT
# Cargo compares file times, and the files of a clone can be older than the empty
# program.
RUN touch src/lib.rs src/main.rs build.rs \
    && install -D "$(deploy/release)" /release/recipelog-site \
    && mkdir /release/state

FROM scratch
COPY --from=builder /release/recipelog-site /recipelog-site
# For certificates by ACME. A volume that is mounted here gets the same owner.
COPY --from=builder --chown=65534:65534 /release/state /state
ENV STATE_DIRECTORY=/state
USER 65534:65534
EXPOSE 8080 8443
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=3s --start-period=2s CMD ["/recipelog-site", "healthcheck"]
ENTRYPOINT ["/recipelog-site"]
ARG RECIPELOG_COMMIT
LABEL org.opencontainers.image.title="recipelog-site" \
      org.opencontainers.image.description="RecipeLog's website: one executable that is the whole site" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.revision="${RECIPELOG_COMMIT:-unknown}"
