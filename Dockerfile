# Debian and not Alpine: the embedded PostgreSQL is linked against glibc.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ormconfig.ts ./
COPY bin bin
COPY catalog catalog
COPY packages packages
COPY src src
RUN npm run build

FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# The compiler is an optional peer dependency of @nestjs/swagger, for a plugin that is not used.
RUN npm ci --omit=dev && rm -r node_modules/typescript node_modules/.bin/tsc node_modules/.bin/tsserver

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="Gatehouse" \
  org.opencontainers.image.description="Self-hosted AI gateway with its management plane" \
  org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production DATA_DIR=/var/lib/gatehouse
WORKDIR /opt/gatehouse
COPY --from=dependencies /build/node_modules node_modules
COPY --from=build /build/dist dist
# Readable for all, whatever the rights of the clone are.
COPY --chmod=0444 package.json LICENSE ops/postgres/roles.sql ./
# The data of the embedded PostgreSQL, if DATABASE_URL is not set. And the command: docker exec ... gatehouse --help
RUN install -d -o node -g node -m 0700 /var/lib/gatehouse \
  && printf '#!/bin/sh\nexec node /opt/gatehouse/dist/src/cli/main.js "$@"\n' > /usr/local/bin/gatehouse \
  && chmod 0755 /usr/local/bin/gatehouse
VOLUME /var/lib/gatehouse
# The user `node`, as a number: Kubernetes cannot check a name (runAsNonRoot).
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node.js itself, not npm or a shell, so that it receives SIGTERM.
CMD ["node", "dist/src/main.js"]
