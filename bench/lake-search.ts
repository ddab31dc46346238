// Lists, searches and pages of files in 1,000 groups, for the owner of the groups and for a user with a grant on each of them.
import { atMost, median, p95, type Figure } from './figure.ts'
import { withLake, type Lake, type LakeUser } from './lake/open-lake.ts'

/** Fraction of the full size, to try the benchmark; its figures are not valid. */
const scale = Number(process.env.HEADWATER_BENCH_SCALE ?? 1)
const fileCount = Math.round(1_000_000 * scale)
const groupCount = 1000
const clientCount = 16
const requestsOfClient = 20
const rounds = 3

/** Requests of a client, by a random number from 0 to 1. */
const requests: Record<string, (random: number) => string> = {
  'first page': () => '/file/search?latest=true&size=100',
  'page 50': () => '/file/search?latest=true&size=100&from=4900',
  'search for a text': (random) => `/file/search?latest=true&size=100&query=*${textOf(random)}*`,
  'files of a group': (random) =>
    `/file/search?latest=true&size=100&groupName=Group%20${1 + Math.floor(random * groupCount)}`,
}

/** Measures 16 concurrent clients of each user, alternately. */
export default function lakeSearch(): Promise<Figure[]> {
  return withLake(async (lake) => {
    const owner = await lake.createUser('owner@example.com')
    const reader = await lake.createUser('reader@example.com')
    await writeFiles(lake)
    const figures: Figure[] = []
    for (const [name, path] of Object.entries(requests)) {
      const ofOwner: number[] = []
      const ofReader: number[] = []
      for (let round = 0; round < rounds; round++) {
        ofOwner.push(...(await measure(owner, path)))
        ofReader.push(...(await measure(reader, path)))
      }
      figures.push(...compared(name, ofOwner, ofReader))
    }
    return figures
  })
}

function compared(name: string, ofOwner: number[], ofReader: number[]): Figure[] {
  const ratio = median(ofOwner) / median(ofReader)
  console.log(
    `${name}: owner ${median(ofOwner).toFixed(1)} ms, 1,000 grants ${median(ofReader).toFixed(1)} ms`,
  )
  return [
    atMost(100, { name: `${name}, 1,000 grants, p95`, value: p95(ofReader), unit: 'ms' }),
    {
      name: `${name}, 1,000 grants, p50`,
      value: median(ofReader),
      unit: 'ms',
      peer: 'the owner of the groups',
      ratio,
      goal: '≥ 0.77 × peer',
      holds: ratio >= 1 / 1.3,
    },
  ]
}

async function measure(user: LakeUser, path: (random: number) => string): Promise<number[]> {
  const times: number[] = []
  await Promise.all(
    Array.from({ length: clientCount }, async (_, client) => {
      for (let request = 0; request < requestsOfClient; request++) {
        const random = ((client * requestsOfClient + request) * 0.618_033_988_7) % 1
        const start = performance.now()
        const response = await user.fetch(path(random))
        const { items } = (await response.json()) as { items: unknown[] }
        if (items.length === 0) throw new Error(`${path(random)} returned nothing.`)
        times.push(performance.now() - start)
      }
    }),
  )
  return times
}

/** A string in the name of one file. */
function textOf(random: number): string {
  return `number ${Math.floor(random * fileCount)} `
}

async function writeFiles({ database: { pool } }: Lake): Promise<void> {
  await pool.query(
    `insert into groups (name, owner_id) select 'Group ' || number, (select id from users where user_name = 'owner@example.com')
     from generate_series(1, $1) number`,
    [groupCount],
  )
  await pool.query(
    `insert into group_grants (group_id, user_id, access)
     select groups.id, users.id, 'R' from groups, users where groups.name like 'Group %' and user_name = 'reader@example.com'`,
  )
  const stepSize = 50_000
  for (let from = 0; from < fileCount; from += stepSize)
    await pool.query(
      `insert into files (id, group_id, name, type, owner_id, saved_by, zipped, fields, partial_update, avoid_duplicates, skip_metadata,
         job_id, state, hash, size_bytes, version, latest, arrival, arrived_at, announced_at)
       select gen_random_uuid(), (select min(id) from groups where name like 'Group %') + number % $1, 'file number ' || number || ' of the lake.csv',
         'SOURCE', owner.id, owner.id, false, jsonb_build_object('Desk', 'desk ' || number % 50), false, false, false,
         gen_random_uuid(), 'ready', encode(sha256(number::text::bytea), 'hex'), number, 1, true, nextval('file_arrivals'),
         now() - ($3 - number) * interval '1 second', now()
       from generate_series($2::integer, $4::integer) number, (select id from users where user_name = 'owner@example.com') owner`,
      [groupCount, from, fileCount, Math.min(fileCount, from + stepSize) - 1],
    )
  await pool.query('vacuum analyze')
}
