import { BlockList, isIP, isIPv4 } from 'node:net'

/**
 * Kind of an IP address. `public`: on the Internet. `internal`: loopback, private, unique-local or carrier-grade NAT. `reserved`:
 * all others, such as multicast, unspecified and link-local addresses (which include metadata services).
 */
export type AddressKind = 'public' | 'internal' | 'reserved'

const internalNetworks = blockListOf([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
])

/** Reserved networks within the public address space of IPv4 and IPv6 (2000::/3). */
const reservedNetworks = blockListOf([
  '0.0.0.0/8',
  // The metadata service of Azure.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Teredo, benchmarking, non-routed identifiers (ORCHID), documentation, and 6to4, which can embed any IPv4 address.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  // The metadata service of Amazon.
  'fd00:ec2::254/128',
])

const publicIPv6 = blockListOf(['2000::/3'])

/**
 * Returns the kind of an IP address. An IPv4-mapped IPv6 address (`::ffff:10.0.0.1`) has the kind of its IPv4 address.
 */
export function addressKind(address: string): AddressKind {
  const version = isIP(address)
  // An address with a zone, such as fe80::1%eth0, is link-local.
  if (version === 0 || address.includes('%')) return 'reserved'
  const mapped = version === 6 ? mappedIPv4(address) : undefined
  if (mapped !== undefined) return addressKind(mapped)
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (reservedNetworks.check(address, family)) return 'reserved'
  if (internalNetworks.check(address, family)) return 'internal'
  return version === 4 || publicIPv6.check(address, family) ? 'public' : 'reserved'
}

/** Returns the IPv4 address of an IPv4-mapped IPv6 address. */
function mappedIPv4(address: string): string | undefined {
  const text = URL.parse(`http://[${address}]/`)?.hostname ?? ''
  const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(text) ?? []
  if (high === undefined || low === undefined) return undefined
  const bits = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16)
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.')
}

/**
 * Returns a function that tests whether an address is in a list of addresses and networks, such as `10.0.0.5` and
 * `10.0.0.0/8`.
 */
export function blockListOf(networks: readonly string[]): BlockList {
  const blocks = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) blocks.addAddress(address, family)
    else blocks.addSubnet(address, Number(bits), family)
  }
  return blocks
}
