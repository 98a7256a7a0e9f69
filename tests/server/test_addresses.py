"""What counts as one address: limits are for a household, not for each of the addresses it may choose."""

import pytest

from kibitz.server.limits import Limits
from kibitz.server.net import addresses
from kibitz.server.net.addresses import counted, household
from kibitz.server.net.sockets import Sockets


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("::1", "::1"),
        ("not an address", "not an address"),
    ],
)
def test_of_an_ipv6_address_the_first_64_bits_count(address: str, counts_as: str) -> None:
    assert household(address) == counts_as


def test_limits_do_not_count_the_servers_own_machine() -> None:
    assert not counted(household("127.0.0.1"))
    assert not counted(household("::1"))
    assert not counted(household("::ffff:127.0.0.1"))
    assert counted(household("127.0.0.2"))


class Silent:
    """A socket that says nothing."""

    dropped = False

    untaken = 0

    def drop(self) -> None:
        """Close at once."""
        self.dropped = True


def let_in(count: int) -> int:
    """How many of so many sockets, each from another address of one subscriber, are open in the end."""
    sockets = Sockets(Limits(address_sockets=10))
    silent = [Silent() for _ in range(count)]
    for number, socket in enumerate(silent):
        assert sockets.admit(socket, household(f"2001:db8::{number:x}"))
    return sum(not socket.dropped for socket in silent)


def test_who_has_many_ipv6_addresses_has_one_share(monkeypatch: pytest.MonkeyPatch) -> None:
    assert let_in(30) == 10
    monkeypatch.setattr(addresses, "HOUSEHOLD_BITS", 128)
    assert let_in(30) == 30, "a server that counts each of them by itself is found out"
