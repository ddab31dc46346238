import { defineErrors } from '@headwater/contract'

/** Errors of schedules, shared by all features with schedules. */
export const scheduleErrors = defineErrors({
  scheduleUnreadable: {
    status: 400,
    message: ({ reason }: { reason: string }) => reason,
    field: 'cron',
  },
  scheduleZoneUnknown: {
    status: 400,
    message: ({ reason }: { reason: string }) => reason,
    field: 'timeZone',
  },
})
