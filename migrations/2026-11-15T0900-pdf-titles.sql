-- What a document shows besides its revision: it is made anew when the space is called otherwise.
delete from pdfs;
alter table pdfs add column title text not null, add column language text;
