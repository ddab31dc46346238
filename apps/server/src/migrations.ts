import { migrationsFolder as accountsMigrations } from '@headwater/accounts/server'
import { migrationsFolder as approvalsMigrations } from '@headwater/approvals/server'
import { migrationsFolder as auditMigrations } from '@headwater/audit/server'
import { migrationsFolder as demoMigrations } from '@headwater/demo/server'
import { migrationsFolder as eventsMigrations } from '@headwater/events/server'
import { migrationsFolder as filesMigrations } from '@headwater/files/server'
import { migrationsFolder as groupsMigrations } from '@headwater/groups/server'
import { migrationsFolder as insightsMigrations } from '@headwater/insights/server'
import { migrationsFolder as itemsMigrations } from '@headwater/items/server'
import { migrationsFolder as jobsMigrations } from '@headwater/jobs'
import { migrationsFolder as logsMigrations } from '@headwater/logs/server'
import { migrationsFolder as monitorMigrations } from '@headwater/monitor/server'
import { migrationsFolder as pipelinesMigrations } from '@headwater/pipelines/server'
import { migrationsFolder as prepsMigrations } from '@headwater/preps/server'
import { migrationsFolder as publishingMigrations } from '@headwater/publishing/server'
import { migrationsFolder as reportsMigrations } from '@headwater/reports/server'
import { migrationsFolder as runsMigrations } from '@headwater/runs/server'
import { migrationsFolder as schedulesMigrations } from '@headwater/schedules/server'
import { migrationsFolder as secretsMigrations } from '@headwater/secrets/server'
import { migrationsFolder as statusesMigrations } from '@headwater/statuses/server'
import { migrationsFolder as symbolsMigrations } from '@headwater/symbols/server'
import { migrationsFolder as tasksMigrations } from '@headwater/tasks/server'
import { migrationsFolder as workersMigrations } from '@headwater/workers/server'

/** Folders of the migrations of all features. */
export const migrationsFolders: readonly string[] = [
  accountsMigrations,
  auditMigrations,
  jobsMigrations,
  eventsMigrations,
  statusesMigrations,
  logsMigrations,
  groupsMigrations,
  filesMigrations,
  itemsMigrations,
  secretsMigrations,
  schedulesMigrations,
  symbolsMigrations,
  runsMigrations,
  prepsMigrations,
  tasksMigrations,
  approvalsMigrations,
  pipelinesMigrations,
  monitorMigrations,
  insightsMigrations,
  publishingMigrations,
  reportsMigrations,
  demoMigrations,
  workersMigrations,
]
