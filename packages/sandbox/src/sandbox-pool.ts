import { statSync } from 'node:fs'
import {
  prepareSandbox,
  type Machine,
  type PreparedSandbox,
  type RunConfiguration,
} from './prepared-sandbox.ts'

/**
 * User ids for runs if the server runs as root; each run uses a separate one. Systems do not assign these ids (systemd
 * documents 60578 to 61183 as unused).
 */
const slots = { first: 60_600, count: 500 }
/** Spare sandboxes are closed this long after the last run of their configuration. */
const idleMs = 60_000
/** Maximum number of spare sandboxes for all configurations together. */
const maxSpares = 6

/** A sandbox for one run. */
export interface RentedSandbox {
  /** The sandbox. */
  sandbox: PreparedSandbox
  /** Whether it was a spare sandbox. A spare sandbox may have exited in the meantime. */
  isSpare: boolean
  /** Ends the sandbox if it is running, and removes its folder and cgroup. */
  close(): Promise<void>
}

/**
 * Creates sandboxes. For configurations that are used repeatedly, it also keeps a few spare ones with a started interpreter
 * ready.
 */
export interface SandboxPool {
  /** Returns a spare sandbox for a configuration, or a new one. Each is used once. */
  rent(configuration: RunConfiguration): Promise<RentedSandbox>
  /** Returns a new sandbox. */
  create(configuration: RunConfiguration): Promise<RentedSandbox>
  /** Calls `run` with a user id that no other run uses; undefined unless the server runs as root. */
  withSlot<T>(
    run: (slotUserId: number | undefined) => AsyncGenerator<Uint8Array, T>,
  ): AsyncGenerator<Uint8Array, T>
}

interface SpareSet {
  spares: RentedSandbox[]
  /** Number of spare sandboxes that are being created. */
  starting: number
  uses: number
  timer: NodeJS.Timeout | undefined
}

/**
 * Creates the pool.
 * @param spares number of spare sandboxes per configuration
 */
export function createSandboxPool(
  machine: Machine,
  { isRoot, spares }: { isRoot: boolean; spares: number },
): SandboxPool {
  const usedSlots = new Set<number>()
  const spareSets = new Map<string, SpareSet>()

  function acquireSlot(): number {
    for (let id = slots.first; id < slots.first + slots.count; id++) {
      if (usedSlots.has(id)) continue
      usedSlots.add(id)
      return id
    }
    throw new Error(`${slots.count} scripts are already running; wait until one of them ends.`)
  }

  async function create(configuration: RunConfiguration): Promise<RentedSandbox> {
    const slot = isRoot ? acquireSlot() : undefined
    const free = () => slot !== undefined && usedSlots.delete(slot)
    try {
      const sandbox = await prepareSandbox(machine, configuration, slot)
      return { sandbox, isSpare: false, close: () => sandbox.close().finally(free) }
    } catch (error) {
      free()
      throw error
    }
  }

  function refill(key: string, configuration: RunConfiguration): void {
    const spareSet = spareSets.get(key)
    if (spareSet === undefined || spareSet.uses < 2) return
    const total = [...spareSets.values()].reduce((sum, each) => sum + each.spares.length + each.starting, 0)
    if (total >= maxSpares || spareSet.spares.length + spareSet.starting >= spares) return
    spareSet.starting += 1
    void create(configuration)
      .then(
        (rented) => {
          const spare = { ...rented, isSpare: true }
          if (spareSets.get(key) !== spareSet) return spare.close()
          spare.sandbox.setWaiting(false)
          spare.sandbox.child.once('exit', () => {
            const at = spareSet.spares.indexOf(spare)
            if (at === -1) return
            spareSet.spares.splice(at, 1)
            void spare.close()
          })
          spareSet.spares.push(spare)
          return undefined
        },
        // The next run creates a new sandbox and reports the reason.
        () => undefined,
      )
      .finally(() => {
        spareSet.starting -= 1
        refill(key, configuration)
      })
  }

  function empty(key: string): void {
    const spareSet = spareSets.get(key)
    spareSets.delete(key)
    for (const spare of spareSet?.spares.splice(0) ?? []) void spare.close()
  }

  return {
    create,
    async *withSlot(run) {
      const slot = isRoot ? acquireSlot() : undefined
      try {
        return yield* run(slot)
      } finally {
        if (slot !== undefined) usedSlots.delete(slot)
      }
    },
    async rent(configuration) {
      const key = keyOf(configuration)
      const spareSet = spareSets.get(key) ?? { spares: [], starting: 0, uses: 0, timer: undefined }
      spareSets.set(key, spareSet)
      spareSet.uses += 1
      clearTimeout(spareSet.timer)
      spareSet.timer = setTimeout(() => empty(key), idleMs).unref()
      const spare = spareSet.spares.shift()
      spare?.sandbox.setWaiting(true)
      const rented = spare ?? (await create(configuration))
      if (spares > 0) refill(key, configuration)
      return rented
    },
  }
}

/**
 * Identifies a configuration. The key includes the identity of the package folder: if the folder is removed and created
 * again, spare sandboxes with the old folder must not be used.
 */
function keyOf(configuration: RunConfiguration): string {
  const stats =
    configuration.packagesFolder === undefined
      ? undefined
      : statSync(configuration.packagesFolder, { throwIfNoEntry: false })
  return JSON.stringify([configuration, stats?.dev, stats?.ino])
}
