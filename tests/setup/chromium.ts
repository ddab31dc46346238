import { findBrowserForTests } from '../../scripts/chromium.mjs'

/** Sets HEADWATER_CHROMIUM to the browser that the tests drive. */
export default function setup(): void {
  const path = findBrowserForTests(process.env)
  if (!path) {
    throw new Error('No Chromium was found. `npm test` installs one; or set HEADWATER_CHROMIUM to its path.')
  }
  process.env.HEADWATER_CHROMIUM = path
}
