"""Addresses of strangers: which are taken, and which numbers may be connected to."""

from __future__ import annotations

import pytest

from bot.errors import UserError
from bot.webhooks.domain import is_global_unicast, read_address, signature


@pytest.mark.parametrize(
    "address",
    [
        *("0.0.0.0", "10.1.2.3", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.8.8.8"),
        *("169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1"),
        *("192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.7"),
        *("203.0.113.9", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"),
        *("::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "::8.8.8.8"),
        *("64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::a00:1", "100::1", "fc00::1"),
        *("fd12:3456::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "ff0e::1"),
        *("2001::1", "2001:0:4136:e378::1", "2001:10::1", "2001:20::1", "2001:db8::1"),
        *("2002:7f00:1::1", "2002:a00:1::", "3fff::1", "5f00::1", "4000::1", "2606:4700::1%1"),
        *("", "localhost", "127.1", "0x7f000001", "2130706433", "8.8.8.8 ", "08.8.8.8"),
    ],
)
def test_numbers_that_are_not_of_the_open_internet(address: str) -> None:
    assert not is_global_unicast(address)


@pytest.mark.parametrize(
    "address",
    [
        *("8.8.8.8", "1.1.1.1", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1"),
        *("192.167.0.1", "198.17.0.1", "198.20.0.1", "223.255.255.255", "11.0.0.1"),
        *("2606:4700::6810:84e5", "2a00:1450:4001::200e", "2003::1", "2400:cb00::1"),
    ],
)
def test_numbers_of_the_open_internet(address: str) -> None:
    assert is_global_unicast(address)


@pytest.mark.parametrize(
    "text",
    [
        *("http://example.org/", "ftp://example.org/", "https://", "https:///x", "example.org"),
        *("https://127.0.0.1/", "https://8.8.8.8/", "https://[::1]/", "https://[2606:4700::1]/"),
        *("https://localhost/", "https://intranet/", "https://example.org:8443/x"),
        *("https://example.org:0/", "https://example.org:99999/", "https://a@example.org/"),
        *("https://a:b@example.org/", "https://example.org/#x", "https://example.org/a b"),
        *(
            "https://example.org/\r\nX: y",
            "https://exam ple.org/",
            "https://-a.org/",
            "https://a..b/",
        ),
        *("https://127.1/", "https://0x7f.1/", "https://2130706433/", "https://ex%61mple.org/"),
        *("https://example.org\\@evil.org/", "https://пример.рф/", "https://e.o/" + "x" * 300),
    ],
)
def test_addresses_that_are_refused(text: str) -> None:
    with pytest.raises(UserError, match="webhook_address"):
        read_address(text)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        (" https://Example.ORG ", "https://example.org/"),
        ("https://example.org:443/a/b?c=d&e=%20", "https://example.org/a/b?c=d&e=%20"),
        ("https://xn--e1afmkfd.xn--p1ai/x", "https://xn--e1afmkfd.xn--p1ai/x"),
    ],
)
def test_addresses_that_are_taken_stay_what_they_are(text: str, canonical: str) -> None:
    assert read_address(text) == canonical
    assert read_address(canonical) == canonical


def test_the_signature_is_the_one_of_the_documentation() -> None:
    # printf '1772366400.{"event":"test"}' | openssl dgst -sha256 -hmac secret
    expected = "cc806e7f665d68e8550f56cd38274d7905450147c7ce942d7b7decaee3527984"
    assert signature("secret", 1772366400, b'{"event":"test"}') == expected
