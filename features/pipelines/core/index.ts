export { linksOf, withNextTasks } from './links.ts'
export { providersIn, runOrder, RunOrderError, tasksBefore } from './run-order.ts'
