/** A time as the API tells it: UTC without an offset, to the second, for example `2026-01-02T03:04:05`. */
export function formatUtcSeconds(time: Date): string {
  return time.toISOString().slice(0, 19)
}

/** The same with milliseconds where there are any, for example `2026-01-02T03:04:05.250`. */
export function formatUtc(time: Date): string {
  return time.toISOString().replace(/(\.000)?Z$/, '')
}
