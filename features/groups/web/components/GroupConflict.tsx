import { NewerVersion } from '@headwater/accounts/web'
import { FieldConflict } from '@headwater/web-kit'
import type { Group } from '../../contract/index.ts'
import { draftOf } from '../group-draft.ts'
import type { GroupDraft } from '../groups-client.ts'

/** Compares the edits of a group with a newer version that another user saved. */
export function GroupConflict({
  newer,
  draft,
  ...actions
}: {
  newer: Group
  draft: GroupDraft
  onOverwrite: () => void
  onDiscard: () => void
  onClose: () => void
}) {
  return (
    <FieldConflict
      {...actions}
      text={<NewerVersion newer={{ version: newer.version, author: newer.changedBy }} />}
      version={newer.version}
      stored={textsOf(draftOf(newer))}
      edited={textsOf(draft)}
    />
  )
}

function textsOf({ description, groupTags, fields }: GroupDraft) {
  const fieldTexts = fields.map(({ name, type, defaultValue = '' }) =>
    [name, type, ...(defaultValue === '' ? [] : [`default ${defaultValue}`])].join(', '),
  )
  return {
    Description: description,
    Tags: groupTags.toSorted().join(', '),
    'File metadata': fieldTexts.join('; '),
  }
}
