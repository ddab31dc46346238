export * from './cron.ts'
export { previewSchedule, type SchedulePreview } from './preview-schedule.ts'
export {
  dayRules,
  describeRecurrence,
  nonWorkingDayRules,
  intervalUnits,
  nextRecurrences,
  plainWeekend,
  type CalendarRecurrence,
  type DayRule,
  type NonWorkingDayRule,
  type NonWorkingDays,
  type IntervalRecurrence,
  type IntervalUnit,
  type Recurrence,
} from './recurrence.ts'
export { nextWorkingOccurrence } from './working-occurrence.ts'
