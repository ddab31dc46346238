import { statSync } from 'node:fs'
import { prepareSandbox, type Machine, type PreparedSandbox, type RunForm } from './prepared-sandbox.ts'

/**
 * User ids that no system assigns (systemd documents 60578 to 61183 as unused). If the server runs as root, each run
 * uses a separate id.
 */
const slots = { first: 60_600, count: 500 }
/** Time after the last run of a configuration until its spare sandboxes end. */
const idleMs = 60_000
/** Maximum number of spare sandboxes of all configurations. */
const mostSpares = 6

/** A sandbox for one run. */
export interface RentedSandbox {
  /** The sandbox. */
  sandbox: PreparedSandbox
  /** Whether it was a spare, which may have ended in the meantime. */
  isSpare: boolean
  /** Ends the sandbox if it is running, and removes its remains. */
  close(): Promise<void>
}

/**
 * Creates sandboxes, and maintains a few spare ones with a started interpreter for configurations that are used
 * repeatedly.
 */
export interface SandboxPool {
  /** Returns a spare sandbox of a configuration, or a new one. Each is used once. */
  rent(form: RunForm): Promise<RentedSandbox>
  /** Returns a new sandbox. */
  create(form: RunForm): Promise<RentedSandbox>
  /** Passes on a run with a user id that no other run uses; undefined unless this is root. */
  withSlot<T>(
    run: (slotUserId: number | undefined) => AsyncGenerator<Uint8Array, T>,
  ): AsyncGenerator<Uint8Array, T>
}

interface Shelf {
  spares: RentedSandbox[]
  /** Spare sandboxes whose creation has begun. */
  arriving: number
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
  const shelves = new Map<string, Shelf>()

  function takeSlot(): number {
    for (let id = slots.first; id < slots.first + slots.count; id++) {
      if (usedSlots.has(id)) continue
      usedSlots.add(id)
      return id
    }
    throw new Error(`${slots.count} scripts are already running; wait until one of them ends.`)
  }

  async function create(form: RunForm): Promise<RentedSandbox> {
    const slot = isRoot ? takeSlot() : undefined
    const free = () => slot !== undefined && usedSlots.delete(slot)
    try {
      const sandbox = await prepareSandbox(machine, form, slot)
      return { sandbox, isSpare: false, close: () => sandbox.close().finally(free) }
    } catch (error) {
      free()
      throw error
    }
  }

  function refill(key: string, form: RunForm): void {
    const shelf = shelves.get(key)
    if (shelf === undefined || shelf.uses < 2) return
    const total = [...shelves.values()].reduce((sum, each) => sum + each.spares.length + each.arriving, 0)
    if (total >= mostSpares || shelf.spares.length + shelf.arriving >= spares) return
    shelf.arriving += 1
    void create(form)
      .then(
        (rented) => {
          const spare = { ...rented, isSpare: true }
          if (shelves.get(key) !== shelf) return spare.close()
          spare.sandbox.setWaiting(false)
          spare.sandbox.child.once('exit', () => {
            const at = shelf.spares.indexOf(spare)
            if (at === -1) return
            shelf.spares.splice(at, 1)
            void spare.close()
          })
          shelf.spares.push(spare)
          return undefined
        },
        // The next run creates a new sandbox and reports the reason.
        () => undefined,
      )
      .finally(() => {
        shelf.arriving -= 1
        refill(key, form)
      })
  }

  function empty(key: string): void {
    const shelf = shelves.get(key)
    shelves.delete(key)
    for (const spare of shelf?.spares.splice(0) ?? []) void spare.close()
  }

  return {
    create,
    async *withSlot(run) {
      const slot = isRoot ? takeSlot() : undefined
      try {
        return yield* run(slot)
      } finally {
        if (slot !== undefined) usedSlots.delete(slot)
      }
    },
    async rent(form) {
      const key = keyOf(form)
      const shelf = shelves.get(key) ?? { spares: [], arriving: 0, uses: 0, timer: undefined }
      shelves.set(key, shelf)
      shelf.uses += 1
      clearTimeout(shelf.timer)
      shelf.timer = setTimeout(() => empty(key), idleMs).unref()
      const spare = shelf.spares.shift()
      spare?.sandbox.setWaiting(true)
      const rented = spare ?? (await create(form))
      if (spares > 0) refill(key, form)
      return rented
    },
  }
}

/** A folder of packages can be removed and created again. Spares with the former folder must not be used. */
function keyOf(form: RunForm): string {
  const stats =
    form.packagesFolder === undefined ? undefined : statSync(form.packagesFolder, { throwIfNoEntry: false })
  return JSON.stringify([form, stats?.dev, stats?.ino])
}
