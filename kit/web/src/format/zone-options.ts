import { allZones } from '@headwater/zones'

let options: readonly { value: string; label: string }[] | undefined

/** Returns every time zone as an option of a field, UTC first. */
export function zoneOptions(): readonly { value: string; label: string }[] {
  options ??= allZones().map((zone) => ({ value: zone, label: zone }))
  return options
}
