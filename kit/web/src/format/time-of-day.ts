/** Returns a time of day with seconds, for example `16:00:00`. */
export function withSeconds(time: string): string {
  return time.length === 5 ? `${time}:00` : time
}
