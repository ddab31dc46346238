import { findChromium, findHeadlessShell } from '../../scripts/chromium.mjs'

/**
 * Sets HEADWATER_CHROMIUM to the Chromium that draws the stored pictures, and HEADWATER_TEST_BROWSER to the browser of all other
 * tests, by default Chromium's headless shell if there is one.
 */
export default function setup(): void {
  const chromium = findChromium(process.env)
  if (!chromium) {
    throw new Error(
      'No Chromium was found. Run `npm test`, which installs it, or set HEADWATER_CHROMIUM to its path.',
    )
  }
  process.env.HEADWATER_TEST_BROWSER ??= findHeadlessShell(process.env) ?? chromium
  process.env.HEADWATER_CHROMIUM = chromium
}
