/**
 * Schema of a form, at a route that takes JSON or a form: `@ApiExtension(FORM_SCHEMA_EXTENSION, schema)` beside `@ApiBody` for the JSON.
 * The description of the API shows each with its own content type, and the extension is gone.
 */
export const FORM_SCHEMA_EXTENSION = 'x-form-schema';
