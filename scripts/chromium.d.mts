/** Returns the path of Chromium: the one in HEADWATER_CHROMIUM, otherwise the first in PATH. */
export function findChromium(env: Record<string, string | undefined>): string | undefined

/** Returns the path of Chromium's headless shell in PATH; undefined when HEADWATER_CHROMIUM is set. */
export function findHeadlessShell(env: Record<string, string | undefined>): string | undefined
