/** Path of a Chromium on this machine: the one HEADWATER_CHROMIUM names, else the first found in PATH. */
export function findChromium(env: Record<string, string | undefined>): string | undefined
