/** Path of a Chromium on this machine: the one HEADWATER_CHROMIUM names, else the first found in PATH. */
export function findChromium(env: Record<string, string | undefined>): string | undefined

/** Path of Chromium's headless shell in PATH; undefined where HEADWATER_CHROMIUM names the browser. */
export function findHeadlessShell(env: Record<string, string | undefined>): string | undefined
