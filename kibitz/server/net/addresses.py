"""Where requests come from, as far as limits count it."""

import ipaddress

LOOPBACK = ("127.0.0.1", "::1")
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
HOUSEHOLD_BITS = 64  # of an IPv6 address: all below is one subscriber's to choose


def household(address: str) -> str:
    """What is counted as one address: an IPv4 address, or an IPv6 subscriber's."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address) or found.is_loopback:
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, HOUSEHOLD_BITS), strict=False))


def networks(told: str) -> tuple[Network, ...]:
    """Addresses and networks, with commas between them; raises ValueError if one is none."""
    return tuple(ipaddress.ip_network(one.strip(), strict=False) for one in told.split(",") if one.strip())


def among(address: str, those: tuple[Network, ...]) -> bool:
    """Whether an address is one of those."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    plain = getattr(found, "ipv4_mapped", None) or found
    return any(plain in network for network in those)


def counted(address: str) -> bool:
    """Whether limits for addresses apply: not to the server's own machine."""
    return address not in LOOPBACK
