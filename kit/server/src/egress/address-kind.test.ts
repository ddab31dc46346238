import { expect, test } from 'vitest'
import { addressKind } from './address-kind.ts'

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.0.1',
  '172.32.0.1',
  '2606:4700::1111',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
])('%s is public', (address) => {
  expect(addressKind(address)).toBe('public')
})

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '100.127.255.255',
  '::1',
  'fc00::1',
  'fd12:3456::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:10.1.2.3',
])('%s is internal', (address) => {
  expect(addressKind(address)).toBe('internal')
})

test.each([
  '169.254.169.254',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  'fd00:ec2::254',
  '168.63.129.16',
  '0.0.0.0',
  '0.1.2.3',
  '::',
  '255.255.255.255',
  '224.0.0.1',
  '240.0.0.1',
  '192.0.0.170',
  '198.18.0.1',
  '203.0.113.1',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
  'not an address',
  '',
])('%s is reserved', (address) => {
  expect(addressKind(address)).toBe('reserved')
})
