/** Path of a Chromium on this machine: the one HEADWATER_CHROMIUM names, else the first found in PATH. */
export function findChromium(env: Record<string, string | undefined>): string | undefined

/** Path of the browser that tests drive: as `findChromium`, but a headless shell of Chromium comes first. */
export function findBrowserForTests(env: Record<string, string | undefined>): string | undefined
