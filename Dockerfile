# Smallprint's web app and API; `docker compose up` starts it beside three OpenSearch nodes.
FROM python:3.12-slim

WORKDIR /app
COPY requirements.lock pyproject.toml README.md LICENSE ./
RUN pip install --no-cache-dir --require-hashes -r requirements.lock
COPY src src
RUN pip install --no-cache-dir --no-build-isolation ".[opensearch]" \
    && useradd --create-home --home-dir /data smallprint

USER smallprint
ENV SMALLPRINT_HOME=/data SMALLPRINT_HOST=0.0.0.0 SMALLPRINT_PORT=8765
VOLUME /data
EXPOSE 8765
ENTRYPOINT ["smallprint"]
CMD ["serve"]
