# syntax=docker/dockerfile:1
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# docker build --build-arg ENRUTA_COMMIT=$(git rev-parse HEAD) .
ARG ENRUTA_COMMIT
RUN npm run release -- /release --no-tarball && mv /release/enruta-* /release/enruta

FROM debian:12.12-slim
RUN useradd --system --uid 10001 --home-dir /var/lib/enruta --shell /usr/sbin/nologin enruta \
 && install --directory --owner=enruta --mode=0700 /var/lib/enruta
COPY --from=build /release/enruta /opt/enruta
USER enruta
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/enruta
VOLUME /var/lib/enruta
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["/opt/enruta/node_modules/node/bin/node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/opt/enruta/enruta"]
