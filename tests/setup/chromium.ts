import { findChromium } from '../../scripts/chromium.mjs'

/**
 * Sets HEADWATER_CHROMIUM to the Chromium that the tests drive. HEADWATER_TEST_BROWSER may name a faster one for everything but
 * the stored pictures, such as Chromium's headless shell.
 */
export default function setup(): void {
  const chromium = findChromium(process.env)
  if (!chromium) {
    throw new Error('No Chromium was found. `npm test` installs one; or set HEADWATER_CHROMIUM to its path.')
  }
  process.env.HEADWATER_CHROMIUM = chromium
  process.env.HEADWATER_TEST_BROWSER ??= chromium
}
