// Prints a JSON Schema as a type: `{ id: string, rings?: boolean }`, with links to named schemas.
import { escapeHtml } from './html.ts';
import type { Schema } from './open-api.ts';

/** `prefix`: the prefix of the anchors of named schemas. */
export function writeType(schema: Schema, prefix: string, indent = ''): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return `<a href="#${prefix}-schema-${name}">${name}</a>`;
  }
  if ('const' in schema) return escapeHtml(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((value) => escapeHtml(JSON.stringify(value))).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((choice) => writeType(choice, prefix, indent)).join(' | ');
  if (schema.allOf) return schema.allOf.map((part) => writeType(part, prefix, indent)).join(' &amp; ');
  if (schema.type === 'array' && schema.items) return writeArray(schema, schema.items, prefix, indent);
  if (schema.type === 'object' || schema.properties) return writeObject(schema, prefix, indent);
  return writeSimple(schema);
}

function writeArray(schema: Schema, items: Schema, prefix: string, indent: string): string {
  const inner = writeType(items, prefix, indent);
  const isLong = (items.anyOf ?? items.oneOf ?? items.enum) !== undefined;
  return `${isLong ? `(${inner})` : inner}[]${writeRange(schema.minItems, schema.maxItems, '')}`;
}

function writeObject(
  { properties = {}, required = [], additionalProperties, propertyNames }: Schema,
  prefix: string,
  indent: string,
): string {
  const deeper = `${indent}  `;
  const lines = Object.entries(properties).map(([name, value]) => {
    const mark = required.includes(name) && value.default === undefined ? '' : '?';
    const type = writeType(value, prefix, deeper);
    const otherwise = value.default === undefined ? '' : ` = ${escapeHtml(JSON.stringify(value.default))}`;
    const remark = value.description === undefined ? '' : `  <i>// ${escapeHtml(value.description)}</i>`;
    return `${deeper}<b>${escapeHtml(name)}</b>${mark}: ${type}${otherwise}${remark}`;
  });
  if (typeof additionalProperties === 'object') {
    const key = propertyNames ? writeType(propertyNames, prefix, deeper) : 'string';
    const isAny = Object.keys(additionalProperties).length === 0;
    // A loose object may have further members.
    if (lines.length === 0 || !isAny)
      lines.push(`${deeper}[${key}]: ${isAny ? 'any' : writeType(additionalProperties, prefix, deeper)}`);
    else lines.push(`${deeper}…`);
  }
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`;
}

function writeSimple({ type, format, minimum, maximum, minLength, maxLength }: Schema): string {
  const name = type === undefined ? 'any' : [type].flat().join(' | ');
  const kind = format === undefined || format === 'safeint' ? name : format;
  const isPlain = maximum === Number.MAX_SAFE_INTEGER;
  if (name === 'string') return kind + writeRange(minLength === 0 ? undefined : minLength, maxLength, ' characters');
  const least = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum;
  return kind + writeRange(least, isPlain ? undefined : maximum, '');
}

function writeRange(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined && most === undefined) return '';
  if (least === most) return ` <i>(${least}${unit})</i>`;
  if (least === undefined) return ` <i>(up to ${most}${unit})</i>`;
  return most === undefined ? ` <i>(${least}${unit} or more)</i>` : ` <i>(${least} to ${most}${unit})</i>`;
}
