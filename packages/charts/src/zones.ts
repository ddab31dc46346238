import { canonicalZone, createZoneClock, type ZoneClock } from '@headwater/zones'

/** Returns the clock of a zone; UTC for an unknown name. */
export function clockOf(timeZone = 'UTC'): ZoneClock {
  return createZoneClock(canonicalZone(timeZone) === undefined ? 'UTC' : timeZone)
}
