import test from './test.mjs'

/** `npm run test:long`: the campaigns (kills, crashes, damage, random queries) at their full size. */
export default function testLong(words) {
  return test(words, { env: { HEADWATER_CAMPAIGN: 'long' } })
}
