# One image for the API and the worker: docs/docker.md.

FROM node:24-bookworm-slim AS build
WORKDIR /app
RUN npm install --global pnpm@10.34.9
# This layer changes with the lockfile only.
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
COPY patches patches
RUN pnpm fetch --frozen-lockfile
COPY . .
RUN npm run generate

# Packages run their TypeScript sources, so only development dependencies and the embedded PostgreSQL are left out.
FROM build AS production
RUN rm -rf node_modules packages/*/node_modules \
  && pnpm install --prod --no-optional --frozen-lockfile --offline

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=4000 \
    DATA_DIR=/data \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=262144
WORKDIR /app
RUN install --directory --owner=1000 --group=1000 --mode=0700 /data
COPY --from=production /app/package.json ./
COPY --from=production /app/node_modules node_modules
COPY --from=production /app/packages packages
COPY --from=production /app/scripts scripts
USER 1000
VOLUME /data
EXPOSE 4000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/v4/system/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "--min-semi-space-size=8", "--max-semi-space-size=8", "--heap-growing-percent=30", "--no-separate-gc-phases", "--no-parallel-scavenge", "scripts/start.mjs"]
