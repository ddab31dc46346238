import { useState } from 'react'
import type { z } from 'zod'
import {
  Button,
  InputDialog,
  fieldErrors,
  Form,
  FormActions,
  type FormItems,
  SchemaForm,
  SubmitButton,
} from '@headwater/web-kit'
import { triggerSchemas, type PipelineTrigger, type TriggerInput } from '../../contract/index.ts'
import { triggerNameOf } from './trigger-texts.ts'
import { triggerItems } from './trigger-items.tsx'
import { triggerLabels } from '../trigger-labels.ts'

/** Dialog that adds or changes a trigger of a pipeline. */
export function TriggerDialog({
  trigger: given,
  owner,
  onSave,
  onClose,
}: {
  trigger: TriggerInput
  /** User whose access the runs have; undefined for a new trigger. */
  owner: string | undefined
  onSave: (trigger: TriggerInput) => Promise<PipelineTrigger>
  onClose: () => void
}) {
  const [trigger, setTrigger] = useState(given)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [showMissing, setShowMissing] = useState(false)
  const title = triggerLabels[trigger.type]
  // The type determines the schema and the fields.
  const schema = triggerSchemas[trigger.type] as unknown as z.ZodType<TriggerInput>
  const items = triggerItems[trigger.type] as unknown as FormItems<TriggerInput>

  async function save() {
    setShowMissing(true)
    if (!schema.safeParse(trigger).success) return
    setErrors({})
    try {
      await onSave(trigger)
    } catch (error) {
      setErrors(
        Object.fromEntries(
          Object.entries(fieldErrors(error)).map(([field, text]) => [
            field.replace(/^(body\.)?schedulerTriggers\[\d+\]\./, ''),
            text,
          ]),
        ),
      )
      throw error
    }
  }
  return (
    <InputDialog
      open
      onClose={onClose}
      title={given.id === undefined ? `New trigger: ${title}` : title}
      unsaved={trigger !== given}
      width={560}
    >
      <Form label={title} onSubmit={save}>
        <SchemaForm
          schema={schema}
          items={[
            { field: 'name', label: 'Name', placeholder: triggerNameOf({ ...trigger, name: '' }) },
            ...items,
            { field: 'active', label: 'Switched on', hint: 'A trigger that is off starts no runs.' },
            ...(owner === undefined
              ? []
              : ([
                  {
                    note: `Runs have the access of ${owner}. A user who changes the trigger becomes its owner.`,
                  },
                  {
                    field: 'becomeOwner',
                    label: 'Become the owner without a change',
                    as: 'checkbox',
                  },
                ] satisfies FormItems<TriggerInput>)),
          ]}
          value={trigger}
          errors={errors}
          showMissing={showMissing}
          onChange={(change) => {
            setTrigger({ ...trigger, ...change } as TriggerInput)
            setErrors({})
          }}
        />
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton>Save</SubmitButton>
        </FormActions>
      </Form>
    </InputDialog>
  )
}
