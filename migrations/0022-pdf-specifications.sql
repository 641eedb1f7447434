-- The state of the OpenAPI specifications of the organization, of which the PDF shows parts. Null: it shows none.
alter table pdfs add column specifications text;
