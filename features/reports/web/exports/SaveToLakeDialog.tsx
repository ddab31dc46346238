import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession, useSettings } from '@headwater/accounts/web'
import { searchFiles } from '@headwater/files/contract'
import { GroupPicker } from '@headwater/groups/web'
import {
  Button,
  Dialog,
  fieldErrors,
  Form,
  FormActions,
  links,
  message,
  Select,
  SubmitButton,
  TextField,
  toast,
  useTimeZone,
} from '@headwater/web-kit'
import {
  baseNameOf,
  exportAs,
  type ExportForm,
  exportFormNames,
  exportFormsOf,
  reportOmission,
  type TileExport,
} from '@headwater/tiles/web'
import { fillFileName } from './file-name-template.ts'
import { saveToLake } from './save-to-lake.ts'

const placeholders = 'Placeholders: {millis} = Unix time in ms, {date:yyyy-MM-dd HH-mm} = formatted date.'

/** Dialog that saves a tile as a file of the lake. */
export default function SaveToLakeDialog({
  title,
  exported,
  insight,
  onClose,
}: {
  /** Title of the tile. */
  title: string
  exported: TileExport
  insight: { insightName: string; groupName: string }
  onClose: () => void
}) {
  const { userName } = useSession()
  const settings = useSettings()
  const timeZone = useTimeZone()
  const client = useQueryClient()
  const forms = exportFormsOf(exported)
  const [form, setForm] = useState<ExportForm>(forms[0] ?? 'csv')
  const [groupName, setGroupName] = useState<string | null>(settings?.defaultGroup || null)
  const [template, setTemplate] = useState(() => `${baseNameOf(title)}_{date}`)
  const [errors, setErrors] = useState<Readonly<Record<string, string | undefined>>>({})
  const [openedAt] = useState(() => new Date())
  const nameAt = (now: Date) => `${fillFileName(template.trim(), { now, timeZone })}.${form}`
  const isNamed = template.trim() !== ''

  async function save() {
    const problems = {
      ...(isNamed ? {} : { fileName: 'A file needs a name.' }),
      ...(groupName === null ? { groupName: 'Choose the group to save it in.' } : {}),
    }
    setErrors(problems)
    if (!isNamed || groupName === null) return
    const { content, omission } = await exportAs(form, title, exported)
    const from = {
      userName,
      insightName: insight.insightName,
      groupName: insight.groupName,
      tileTitle: title,
      range: exported.range,
    }
    const { fileId } = await saveToLake(content, { groupName, fileName: nameAt(new Date()), from })
    void client.invalidateQueries({ queryKey: [searchFiles.name] })
    onClose()
    toast({
      title: 'File has been saved.',
      action: { label: 'Show file', href: links.lakeFile(groupName, fileId) },
    })
    reportOmission(omission)
  }
  function showErrors(error: unknown) {
    const byField = fieldErrors(error)
    setErrors(byField)
    for (const [field, text] of Object.entries(byField))
      if (field !== 'fileName' && field !== 'groupName') message(text, 'error')
  }

  return (
    <Dialog open onClose={onClose} title="Save to data lake" width={440}>
      <Form label="Save to data lake" onSubmit={save} onError={showErrors}>
        <GroupPicker
          required
          value={groupName}
          error={errors.groupName}
          onChange={(name) => {
            setGroupName(name)
            setErrors({ ...errors, groupName: undefined })
          }}
        />
        <TextField
          label="File name"
          required
          maxLength={200}
          value={template}
          error={errors.fileName}
          hint={isNamed ? `File name: ${nameAt(openedAt)}. ${placeholders}` : placeholders}
          onChange={(text) => {
            setTemplate(text)
            setErrors({ ...errors, fileName: undefined })
          }}
        />
        <Select
          label="File format"
          value={form}
          options={forms.map((each) => ({ value: each, label: exportFormNames[each] }))}
          onChange={(next) => setForm((next ?? form) as ExportForm)}
        />
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton>Save</SubmitButton>
        </FormActions>
      </Form>
    </Dialog>
  )
}
