import {
  formatHostPattern,
  matchesHost,
  parseHostPattern,
  type HostPattern,
  type Page,
} from '@headwater/contract'
import { formatUtcSeconds, type EgressTarget, type Principal } from '@headwater/server-kit'
import type { TaskHosts, TaskWithHosts } from '../contract/index.ts'
import { accessToTasks } from './task-access.ts'
import type { StoredTaskHosts, TaskHostsStore } from './task-hosts-store.ts'
import type { TasksServiceDependencies } from './tasks-dependencies.ts'

/** Allowed ports of hosts without a port. */
const defaultPorts = [80, 443]

/** The service of allowed hosts. */
export type TaskHostsService = ReturnType<typeof createTaskHostsService>

/** Creates the service. Users who can read a task can see its hosts; only administrators can change them. */
export function createTaskHostsService(
  deps: TasksServiceDependencies & { hosts: TaskHostsStore; internalHosts: readonly HostPattern[] },
) {
  const { hosts: store, internalHosts, clock } = deps
  const requireTask = async (principal: Principal, id: string) =>
    (await accessToTasks(deps).require(principal, { id }, 'R')).item

  return {
    async get(principal: Principal, id: string): Promise<TaskHosts> {
      const task = await requireTask(principal, id)
      return present(await store.find(task.id))
    },

    /** Returns the tasks with allowed hosts, and the internal hosts of this server. */
    async list(page: {
      from: number
      size: number
    }): Promise<Page<TaskWithHosts> & { internalHosts: string[] }> {
      const { items, total } = await store.list(page)
      return {
        from: page.from,
        totalSize: total,
        items: items.map(({ taskId, taskName, groupName, ...stored }) => ({
          taskId,
          taskName,
          groupName,
          ...present(stored),
        })),
        internalHosts: internalHosts.map(formatHostPattern),
      }
    },

    async set(principal: Principal, id: string, hosts: readonly string[]): Promise<TaskHosts> {
      const task = await requireTask(principal, id)
      const change = {
        hosts: [...new Set(hosts)].toSorted(),
        savedBy: principal.userId,
        savedAt: clock.now(),
      }
      await store.set(task.id, change)
      return present({ ...change, savedBy: principal.userName })
    },

    /**
     * Returns whether scripts of a task can reach a host. Called for each connection, so that changes apply immediately.
     */
    async isAllowed(taskId: string | undefined, target: EgressTarget): Promise<boolean> {
      const allowed = taskId === undefined ? undefined : await store.find(taskId)
      return (allowed?.hosts ?? []).some((text) => {
        const pattern = parseHostPattern(text)
        return pattern !== undefined && matchesHost(pattern, target, defaultPorts)
      })
    },
  }
}

function present(stored: StoredTaskHosts | undefined): TaskHosts {
  if (stored === undefined) return { hosts: [], modifyDate: null, modifiedBy: null }
  const { hosts, savedAt, savedBy } = stored
  return { hosts, modifyDate: formatUtcSeconds(savedAt), modifiedBy: savedBy }
}
