import { findChromium } from '../../scripts/chromium.mjs'

/** Tells the browser tests which Chromium to drive, by HEADWATER_CHROMIUM. */
export default function setup(): void {
  const path = findChromium(process.env)
  if (!path) {
    throw new Error('There is no Chromium. `npm test` installs one; or name one in HEADWATER_CHROMIUM.')
  }
  process.env.HEADWATER_CHROMIUM = path
}
