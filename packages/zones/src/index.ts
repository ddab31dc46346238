export { localDate, offsetMinutes, partsIn, type ClockParts } from './clock-parts.ts'
export { createZoneClock, type ZoneClock } from './zone-clock.ts'
export { allZones, canonicalZone, isTimeZone, zoneOffsetMs } from './zone-offset.ts'
