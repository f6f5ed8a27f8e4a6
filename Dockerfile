# Debian and not Alpine: the embedded PostgreSQL is linked against glibc.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY nest-cli.json tsconfig.json tsconfig.build.json ormconfig.ts ./
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
ENV NODE_ENV=production DATA_DIR=/var/lib/gatehouse
WORKDIR /opt/gatehouse
COPY --from=dependencies /build/node_modules node_modules
COPY --from=build /build/dist dist
COPY package.json ./
# The data of the embedded PostgreSQL, if DATABASE_URL is not set.
RUN install -d -o node -g node -m 0700 /var/lib/gatehouse
VOLUME /var/lib/gatehouse
USER node
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node.js itself, not npm or a shell, so that it receives SIGTERM.
CMD ["node", "dist/src/main.js"]
