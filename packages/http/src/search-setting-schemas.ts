import { type NumberRule, numberRuleText, SEARCH_SETTINGS, type SettingGroup } from '@rdf-worlds/core/internal';
import { z } from 'zod';

const { fusion, fields, feedback } = SEARCH_SETTINGS;
const methods = z.enum(fusion.short);
const DEFAULT_TEXT = 'Default: the setting of the service.';

/** Schemas of the search settings in a body: each in its short form or as an object. */
export const SEARCH_SETTING_SCHEMAS = {
  fusion: z
    .union(
      [
        methods,
        z.object({
          method: methods.optional().meta({ description: 'As the short form.', default: fusion.short[0] }),
          ...numbersOf(fusion),
        }),
      ],
      {
        error: `expected ${fusion.short.join(', ')} or an object`,
      },
    )
    .meta({ description: `${fusion.meaning} ${DEFAULT_TEXT}` }),
  fields: flagOrNumbers(fields),
  feedback: flagOrNumbers(feedback),
};

function flagOrNumbers<Group extends SettingGroup>(group: Group) {
  return z
    .union([z.boolean(), z.object(numbersOf(group))], { error: 'expected true, false or an object of numbers' })
    .meta({ description: `${group.meaning} ${DEFAULT_TEXT}` });
}

function numbersOf<Group extends SettingGroup>({ numbers }: Group) {
  const schemas = Object.entries(numbers).map(([name, rule]) => [name, numberSchema(rule)]);
  return Object.fromEntries(schemas) as { [Name in keyof Group['numbers']]: ReturnType<typeof numberSchema> };
}

function numberSchema(rule: NumberRule) {
  const { above, least, most, isInteger, meaning } = rule;
  const error = `expected ${numberRuleText(rule)}`;
  let schema: z.ZodNumber = isInteger ? z.int({ error }) : z.number({ error });
  if (above !== undefined) schema = schema.gt(above, { error });
  if (least !== undefined) schema = schema.min(least, { error });
  if (most !== undefined) schema = schema.max(most, { error });
  return schema.optional().meta({ description: meaning, default: rule.default });
}
