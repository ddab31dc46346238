import type { CsvMapping } from '@headwater/csv'
import { groupErrors } from '@headwater/groups/contract'
import type { GroupAccess } from '@headwater/groups/server'
import { formatUtcSeconds, type Clock, type Principal } from '@headwater/server-kit'
import { fileErrors, maxMappings, type StoredMapping } from '../contract/index.ts'
import type { CsvMappingsStore, MappingRow } from './csv-mappings-store.ts'

/**
 * Stores mappings, which define how the columns of CSV files become series. Only users with write access to a group see its
 * mappings.
 */
export type CsvMappingsService = ReturnType<typeof createCsvMappingsService>

/** Creates the service of CSV mappings. */
export function createCsvMappingsService({
  store,
  groups,
  clock,
}: {
  store: CsvMappingsStore
  groups: Pick<GroupAccess, 'getGroup'>
  clock: Clock
}) {
  return {
    async list(principal: Principal, groupName: string): Promise<StoredMapping[]> {
      const { id } = await groups.getGroup(principal, groupName, 'RW')
      return (await store.list(id)).map(toStoredMapping)
    },

    async save(
      principal: Principal,
      { groupName, name, mapping }: { groupName: string; name: string; mapping: CsvMapping },
    ): Promise<StoredMapping> {
      const { id } = await groups.getGroup(principal, groupName, 'RW')
      const row = { name, mapping, savedAt: clock.now() }
      const outcome = await store.save(id, row, maxMappings)
      if (outcome === 'gone') throw groupErrors.groupNotFound({ name: groupName })
      if (outcome === 'full') throw fileErrors.tooManyMappings({ limit: maxMappings })
      return toStoredMapping(row)
    },

    async remove(
      principal: Principal,
      { groupName, name }: { groupName: string; name: string },
    ): Promise<void> {
      const { id } = await groups.getGroup(principal, groupName, 'RW')
      if (!(await store.remove(id, name))) throw fileErrors.mappingNotFound({ name })
    },
  }
}

function toStoredMapping({ name, mapping, savedAt }: MappingRow): StoredMapping {
  return { name, mapping: mapping as StoredMapping['mapping'], savedAt: formatUtcSeconds(savedAt) }
}
