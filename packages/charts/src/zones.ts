import { canonicalZone, createZoneClock, type ZoneClock } from '@headwater/zones'

/** The clock of a zone; that of UTC for an unknown name. */
export function clockOf(timeZone = 'UTC'): ZoneClock {
  return createZoneClock(canonicalZone(timeZone) === undefined ? 'UTC' : timeZone)
}
