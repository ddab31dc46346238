import type { Files } from '@headwater/files/server'
import type { GroupAccess } from '@headwater/groups/server'
import type { JobQueue } from '@headwater/jobs'
import type { Schedules } from '@headwater/schedules/server'
import type { Clock, MailInSettings, Principal } from '@headwater/server-kit'
import type { Statuses } from '@headwater/statuses/server'
import type { PipelinesStore } from '../pipelines-store.ts'
import type { RunPlans } from '../run-plans.ts'
import type { RunsService } from '../runs-service.ts'
import type { FiringsStore } from './firings-store.ts'
import type { TriggersStore } from './triggers-store.ts'

/** Dependencies of the triggers service. */
export interface TriggersDependencies {
  /** Stored triggers and their events. */
  triggers: TriggersStore & FiringsStore
  /** Saved pipelines. */
  store: PipelinesStore
  /** Starts scheduled runs. */
  schedules: Pick<Schedules, 'register' | 'check' | 'set' | 'remove'>
  /** Starts runs. */
  runs: Pick<RunsService, 'start'>
  /** Resolves the tasks of a pipeline. */
  plans: Pick<RunPlans, 'resolve' | 'changedByOthers'>
  /** Checks access to groups. */
  groups: GroupAccess
  /** Reports runs that did not start. */
  statuses: Pick<Statuses, 'startJob'>
  /** Starts the runs of events. */
  queue: JobQueue
  /** Returns the principal of an active user. Runs have the access of the trigger's owner. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  /** Stores attachments of e-mails. */
  files: Pick<Files, 'create' | 'putContent'>
  /** How the server receives e-mails; undefined if it does not. */
  mailIn: MailInSettings | undefined
  /** Secret of the installation, from which webhook keys and e-mail addresses are derived. */
  signingSecret: string
  /** Clock for the times of events. */
  clock: Clock
}
