# syntax=docker/dockerfile:1
FROM node:26.10.0-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# The commit, for the version: given, or read from the repository's files, because the image has no git.
ARG ENRUTA_COMMIT
RUN ref=$(sed -n 's/^ref: //p' .git/HEAD 2>/dev/null); \
  commit=${ENRUTA_COMMIT:-$(cat ".git/${ref:-HEAD}" 2>/dev/null || sed -n "s|^\([0-9a-f]*\) $ref\$|\1|p" .git/packed-refs 2>/dev/null)}; \
  ENRUTA_COMMIT=$commit npm run release -- /release --no-tarball && mv /release/enruta-* /release/enruta

FROM debian:12.12-slim
RUN useradd --system --uid 10001 --home-dir /var/lib/enruta --shell /usr/sbin/nologin enruta \
 && install --directory --owner=enruta --mode=0700 /var/lib/enruta
COPY --from=build /release/enruta /opt/enruta
USER enruta
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/enruta
VOLUME /var/lib/enruta
EXPOSE 3000
# Without a process of Node every ten seconds, which would cost more than the idle program.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /readyz HTTP/1.0\r\n\r\n' >&3 && read -r line <&3 && [[ $line == *' 200 '* ]]"]
ENTRYPOINT ["/opt/enruta/enruta"]
