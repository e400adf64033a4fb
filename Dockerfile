# The service as an image: docker build -t rdf-worlds . - see docs/guides/deployment.md
FROM node:22-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts
RUN npm run build
RUN mkdir /packages && for name in core http client console memory mcp storage-file storage-postgres cli; do npm pack --pack-destination /packages ./packages/$name; done
WORKDIR /app
# pg is the client of PostgreSQL, for --storage.
RUN npm init --yes && npm install --omit=dev --ignore-scripts /packages/*.tgz pg@8

FROM node:22-bookworm-slim
ENV NODE_ENV=production
COPY --from=build /app /app
# A new volume takes the owner and the mode of this directory.
RUN mkdir -m 700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080 9464
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/rdf-worlds/dist/main.js"]
CMD ["serve", "--config", "/etc/rdf-worlds/config.json"]
