import test from './test.mjs'

/** `npm run test:long`: the campaigns (kills, crashes, damage, random queries) at their full size. */
export default function testLong(args) {
  return test(args, { env: { HEADWATER_CAMPAIGN: 'long' } })
}
