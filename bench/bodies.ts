// How long the largest JSON body that a route accepts blocks the server, in the worst shapes.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { defineRoute, largeBodyBytes } from '@headwater/contract'
import { createApp, createRouter, systemClock, type Principal } from '@headwater/server-kit'
import { silentLog } from '@headwater/server-kit/testing'
import { atMost, type Figure } from './figure.ts'

const echo = defineRoute({
  name: 'echo',
  method: 'POST',
  path: '/echo',
  summary: 'Reads a body.',
  permission: 'signed-in',
  body: z.unknown(),
  bodyBytes: largeBodyBytes,
  output: z.object({}),
})

const caller: Principal = {
  userId: 1,
  userName: 'bench@example.com',
  companyId: 1,
  scheme: 'Basic',
  isAdministrator: false,
  can: () => true,
}

const rounds = 3

/** The maximum of each shape: 8 MiB, a million values, 150,000 members. */
const shapes = {
  'numbers in a list': `[${'1,'.repeat(999_000)}1]`,
  'empty lists': `[${'[],'.repeat(499_000)}1]`,
  'lists of 64 levels': `[${`${'['.repeat(63)}${']'.repeat(63)},`.repeat(15_000)}1]`,
  'members with distinct names': `{${names('x')}}`,
  'members with numbers for names': `{${names('')}}`,
  'objects with distinct names': `[${names('x').replaceAll(',', '},{').replace(/^/, '{')}}]`,
  'a text of escapes': `"${String.raw`\ud83d\udca7`.repeat((largeBodyBytes - 2) / 12)}"`,
  'a text': `"${'x'.repeat(largeBodyBytes - 2)}"`,
}

/** Measures the longest pause of the event loop while each shape is read. */
export default async function bodies(): Promise<Figure[]> {
  const app = await createApp({ log: silentLog(), clock: systemClock })
  createRouter(app, { authenticate: async () => caller }).add(echo, async () => ({}))
  await app.ready()
  const figures: Figure[] = []
  for (const [name, json] of Object.entries(shapes)) {
    const pausesMs: number[] = []
    for (let round = 0; round < rounds; round++) pausesMs.push(await pauseMs(app, Buffer.from(json)))
    figures.push(
      atMost(250, { name: `longest pause while reading ${name}`, value: Math.max(...pausesMs), unit: 'ms' }),
    )
  }
  await app.close()
  return figures
}

async function pauseMs(app: Awaited<ReturnType<typeof createApp>>, payload: Buffer): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await sleep(20)
  const headers = { 'content-type': 'application/json' }
  const { statusCode } = await app.inject({ method: 'POST', url: '/echo', headers, payload })
  if (statusCode !== 200) throw new Error(`The server rejected the body with ${statusCode}.`)
  await sleep(20)
  delay.disable()
  return delay.max / 1e6
}

function names(suffix: string): string {
  return Array.from({ length: 150_000 }, (_, at) => `"${(at * 7919) % 4_294_967_295}${suffix}":0`).join(',')
}
