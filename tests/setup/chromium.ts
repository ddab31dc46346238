import { findBrowserForTests, findChromium } from '../../scripts/chromium.mjs'

/** Finds the browser that tests drive, and the Chromium that draws the stored pictures of the gallery. */
export default function setup(): void {
  const browser = findBrowserForTests(process.env)
  const chromium = findChromium(process.env)
  if (!browser || !chromium) {
    throw new Error('No Chromium was found. `npm test` installs one; or set HEADWATER_CHROMIUM to its path.')
  }
  process.env.HEADWATER_TEST_BROWSER = browser
  process.env.HEADWATER_TEST_CHROMIUM = chromium
}
