-- Whether this installation is a demo is everybody's to know.

create policy open_to_all on demo_world for select using (true);
grant select on demo_world to healthfund_request;
