# syntax=docker/dockerfile:1
FROM python:3.13-slim-trixie AS build
WORKDIR /src
RUN python -m venv --without-pip /opt/parlour
COPY locks/run.txt locks/extras.txt locks/build.txt ./locks/
RUN pip --python /opt/parlour/bin/python install --no-cache-dir --disable-pip-version-check \
        --require-hashes --only-binary :all: -r locks/run.txt -r locks/extras.txt \
    && python -m venv /opt/build \
    && /opt/build/bin/pip install --no-cache-dir --disable-pip-version-check \
        --require-hashes -r locks/build.txt
COPY pyproject.toml README.md LICENSE ./
COPY games games
COPY renderers renderers
COPY engines engines
COPY bot bot
COPY playground playground
COPY parlour.py ./
RUN /opt/build/bin/python -m hatchling build -t wheel -d /wheel \
    && pip --python /opt/parlour/bin/python install --no-cache-dir --disable-pip-version-check \
        --no-deps --no-index /wheel/*.whl
# Babel knows a thousand places in 32 MB; Parlour's languages and what they build on take 3. What
# libraries have for their own tests, and for voice on Windows, is used by nobody here.
RUN cd /opt/parlour/lib/python3.*/site-packages \
    && find . -type d -name tests -prune -exec rm -r {} + \
    && rm -r discord/bin \
    && cd babel/locale-data \
    && kept=" root en $(ls /src/bot/i18n/locales | cut -d- -f1 | tr '\n' ' ')" \
    && for each in *.dat; do \
        case "$kept" in *" ${each%%[._]*} "*) ;; *) rm "$each" ;; esac; done

FROM python:3.13-slim-trixie
# Pillow brings everything to draw names with but the library for those from right to left.
RUN apt-get update \
    && apt-get install -y --no-install-recommends libfribidi0 \
    && rm -rf /var/lib/apt/lists/*
# Every Chinese, Japanese and Korean name: the font, from its makers.
ADD --checksum=sha256:b76b0433203017ca80401b2ee0dd69350349871c4b19d504c34dbdd80541690a --chmod=0644 \
    https://github.com/notofonts/noto-cjk/raw/Sans2.004/Sans/OTC/NotoSansCJK-Regular.ttc \
    /usr/share/fonts/opentype/noto/
# What runs installs nothing, so what installs is not there either.
RUN python -m pip uninstall --yes --root-user-action ignore pip \
    && rm -r "$(python -c 'import ensurepip; print(*ensurepip.__path__)')"
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin parlour \
    && install -d -o parlour -g parlour -m 0700 /data
COPY --from=build /opt/parlour /opt/parlour
ENV PATH=/opt/parlour/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PARLOUR_DATA=/data \
    PARLOUR_HEALTH_PORT=8311
USER parlour
WORKDIR /data
VOLUME /data
STOPSIGNAL SIGTERM
# `parlour health` asks the same, but loads all of Parlour for it, twice a minute.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 CMD ["python", "-c", \
    "import os, sys; from http.client import HTTPConnection as C; e = os.environ; c = C(e.get('PARLOUR_HEALTH_ADDRESS') or '127.0.0.1', int(e['PARLOUR_HEALTH_PORT']), timeout=4); c.request('GET', '/health'); sys.exit(c.getresponse().status != 200)"]
ENTRYPOINT ["parlour"]
