# syntax=docker/dockerfile:1
# Builds the screens in one stage and carries only what runs into the other. It needs a PostgreSQL beside it
# (compose.yaml has one): the embedded one is for a machine of your own.
FROM node:24-bookworm-slim AS build
WORKDIR /app
ENV NODE_ENV=production
COPY package.json package-lock.json ./
# As run.mjs installs.
RUN npm install --no-save --include=dev --no-audit --no-fund
COPY . .
# Packages for building and testing stay here.
RUN node src/commands/build.server.ts && npm prune --omit=dev --no-audit --no-fund && sh ops/image.sh /image

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Healthfund"
WORKDIR /app
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_FOLDER=/data \
    BACKUP_FOLDER=/backups \
    DEMO=off \
    UV_THREADPOOL_SIZE=8
# Written by nobody, run by `node`; what it keeps is in /data and /backups.
COPY --from=build /image ./
RUN for folder in /data /backups; do mkdir $folder && chown node:node $folder && chmod 0700 $folder; done
VOLUME ["/data", "/backups"]
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=40s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-old-space-size=1024", "src/main.server.ts"]
